<?php

use App\Mooring;
use App\Refused;
use Illuminate\Http\Request;
use Illuminate\Support\Facades\Cache;
use Illuminate\Support\Facades\Route;

// region token
Route::get("/svc-token", function (Request $request) {
    $customer = signedInCustomer($request);
    if ($customer === null) {
        return response("Sign in first\n", 401);
    }
    return response()->json([
        "baseUrl" => config("mooring.url"),
        "applicationId" => config("mooring.application_id"),
        "token" => Mooring::mintToken($customer),
    ])->header("Cache-Control", "no-store");
});

/** Replace it with `$request->user()`. Never take the customer from the request's own words. */
function signedInCustomer(Request $request): ?string
{
    return config("mooring.demo_customer");
}
// end region

// region webhook
// Outside the group `web`, so that no CSRF token is asked for.
Route::post("/webhooks", function (Request $request) {
    try {
        $event = Mooring::verifyWebhook($request->getContent(), $request->headers);
    } catch (Refused) {
        return response("Bad request\n", 400);
    }
    $connection = $event["data"]["connection"] ?? null;
    if ($connection !== null) {
        storeDomain($connection, $event["sequence"]);
    }
    return response()->noContent();
});

/** The cache stands in for a table of yours. Events may arrive twice and out of order. */
function storeDomain(array $connection, int $sequence): void
{
    $name = "domain:{$connection["id"]}";
    Cache::lock("$name:lock", 5)->block(5, function () use ($name, $connection, $sequence) {
        if ($sequence > (Cache::get($name)["sequence"] ?? 0)) {
            Cache::forever($name, [
                "customer" => $connection["customer_ref"],
                "state" => $connection["state"],
                "sequence" => $sequence,
            ]);
        }
    });
}
// end region

Route::get("/settings", fn () => response(file_get_contents(base_path("../settings.html"))));
