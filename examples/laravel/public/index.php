<?php

use Illuminate\Contracts\Http\Kernel;
use Illuminate\Http\Request;

// Composer's autoloader, or that of the Debian package php-laravel-framework.
$composer = __DIR__ . "/../vendor/autoload.php";
if (is_file($composer)) {
    require $composer;
} else {
    require "Illuminate/autoload.php";
    spl_autoload_register(function (string $class): void {
        $file = __DIR__ . "/../app/" . str_replace(["App\\", "\\"], ["", "/"], $class) . ".php";
        if (str_starts_with($class, "App\\") && is_file($file)) {
            require $file;
        }
    });
}

$app = require __DIR__ . "/../bootstrap/app.php";
$kernel = $app->make(Kernel::class);
$request = Request::capture();
$response = $kernel->handle($request)->send();
$kernel->terminate($request, $response);
