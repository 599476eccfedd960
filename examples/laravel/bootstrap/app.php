<?php

use App\Http\Kernel;
use Illuminate\Contracts\Debug\ExceptionHandler;
use Illuminate\Contracts\Http\Kernel as KernelContract;
use Illuminate\Foundation\Application;
use Illuminate\Foundation\Exceptions\Handler;
use Illuminate\Support\Facades\Route;

$app = new Application(dirname(__DIR__));
$app->singleton(KernelContract::class, Kernel::class);
$app->singleton(ExceptionHandler::class, Handler::class);
if (getenv("STORAGE_PATH") !== false) {
    $app->useStoragePath(getenv("STORAGE_PATH"));
}
$app->booted(fn () => Route::group([], base_path("routes/web.php")));

return $app;
