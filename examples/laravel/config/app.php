<?php

return [
    "name" => "Acme Shops",
    "env" => env("APP_ENV", "production"),
    "debug" => false,
    "timezone" => "UTC",
    "locale" => "en",
    "providers" => [
        Illuminate\Cache\CacheServiceProvider::class,
        Illuminate\Filesystem\FilesystemServiceProvider::class,
        Illuminate\View\ViewServiceProvider::class,
    ],
];
