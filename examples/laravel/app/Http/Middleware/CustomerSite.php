<?php

namespace App\Http\Middleware;

use App\Mooring;
use App\Refused;
use Closure;
use Illuminate\Http\Request;

// region origin
/** A request through the edge carries its assertion. Any other request is for your own site. */
class CustomerSite
{
    public function handle(Request $request, Closure $next)
    {
        $assertion = $request->header("X-Svc-Assertion");
        if ($assertion === null) {
            return $next($request);
        }
        try {
            $visited = Mooring::verifyAssertion($assertion);
        } catch (Refused) {
            return response("Forbidden\n", 403)->header("Content-Type", "text/plain");
        }
        if (($visited["cus"] ?? null) === null) {
            return response("Not found\n", 404)->header("Content-Type", "text/plain");
        }
        $page = "{$visited["host"]} is the shop of {$visited["cus"]}\n";
        return response($page)->header("Content-Type", "text/plain");
    }
}
// end region
