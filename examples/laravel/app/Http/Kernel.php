<?php

namespace App\Http;

use App\Http\Middleware\CustomerSite;
use Illuminate\Foundation\Http\Kernel as HttpKernel;

class Kernel extends HttpKernel
{
    protected $middleware = [CustomerSite::class];
}
