<?php

namespace App;

use Illuminate\Support\Facades\Cache;
use JsonException;
use SodiumException;
use Symfony\Component\HttpFoundation\HeaderBag;

/** What the integration asks of the service. */
class Mooring
{
    private const CLOCK_TOLERANCE_SECONDS = 30;

    public static function mintToken(string $customer): string
    {
        $answer = self::call("/v1/tokens", [
            "application_id" => config("mooring.application_id"),
            "customer_ref" => $customer,
        ]);
        return $answer["auth_token"];
    }

    // region verify-webhook
    /** @throws Refused */
    public static function verifyWebhook(string $body, HeaderBag $headers): array
    {
        $timestamp = $headers->get("X-Svc-Timestamp", "");
        if (!ctype_digit($timestamp) || abs(time() - (int) $timestamp) > 300) {
            throw new Refused("the delivery is too old, or has no timestamp");
        }
        $secret = config("mooring.webhook_secret");
        $expected = "sha256=" . hash_hmac("sha256", "$timestamp.$body", $secret);
        // For 24 hours after a rotation the old secret signs too.
        $isSigned = hash_equals($expected, $headers->get("X-Svc-Signature", ""))
            || hash_equals($expected, $headers->get("X-Svc-Signature-Previous", ""));
        if (!$isSigned) {
            throw new Refused("the signature does not match");
        }
        return json_decode($body, true, flags: JSON_THROW_ON_ERROR);
    }
    // end region

    // region verify-assertion
    /** The claims of a token that a key of the service signed for this application within the last 90 seconds. */
    public static function verifyAssertion(string $token): array
    {
        try {
            return self::claimsOf($token);
        } catch (JsonException | SodiumException) {
            throw new Refused("the token is malformed");
        }
    }

    private static function claimsOf(string $token): array
    {
        $parts = explode(".", $token);
        if (count($parts) !== 3 || strlen($token) > 4096) {
            throw new Refused("the token is malformed");
        }
        $head = json_decode(self::decode($parts[0]), true, flags: JSON_THROW_ON_ERROR);
        $claims = json_decode(self::decode($parts[1]), true, flags: JSON_THROW_ON_ERROR);
        if (($head["alg"] ?? "") !== "EdDSA" || ($head["typ"] ?? "") !== "svc-assertion+jwt") {
            throw new Refused("this is another kind of token");
        }
        $key = self::keyOf($head["kid"] ?? "") ?? throw new Refused("the key is not known");
        if (!sodium_crypto_sign_verify_detached(self::decode($parts[2]), "$parts[0].$parts[1]", $key)) {
            throw new Refused("the signature does not match");
        }
        $isOurs = ($claims["iss"] ?? "") === config("mooring.url")
            && ($claims["aud"] ?? "") === config("mooring.application_id");
        $isFresh = time() < ($claims["exp"] ?? 0) + self::CLOCK_TOLERANCE_SECONDS
            && time() > ($claims["iat"] ?? INF) - self::CLOCK_TOLERANCE_SECONDS;
        return $isOurs && $isFresh ? $claims : throw new Refused("the token is for others, or has expired");
    }

    /** Fetched again after five minutes, and for an unknown id at most every ten seconds. */
    private static function keyOf(string $id): ?string
    {
        $keys = Cache::remember("mooring-keys", 300, fn () => self::fetchKeys());
        if (!isset($keys[$id]) && Cache::add("mooring-keys-tried", true, 10)) {
            Cache::put("mooring-keys", $keys = self::fetchKeys(), 300);
        }
        return isset($keys[$id]) ? self::decode($keys[$id]) : null;
    }

    private static function fetchKeys(): array
    {
        $set = self::call("/.well-known/jwks.json")["keys"];
        return collect($set)->where("crv", "Ed25519")->pluck("x", "kid")->all();
    }

    private static function decode(string $part): string
    {
        return sodium_base642bin($part, SODIUM_BASE64_VARIANT_URLSAFE_NO_PADDING);
    }
    // end region

    private static function call(string $path, ?array $body = null): array
    {
        $key = config("mooring.api_key");
        $context = stream_context_create(["http" => $body === null ? ["timeout" => 10] : [
            "method" => "POST",
            "header" => "Authorization: Bearer $key\r\nContent-Type: application/json",
            "content" => json_encode($body, JSON_THROW_ON_ERROR),
            "timeout" => 10,
        ]]);
        $answer = file_get_contents(config("mooring.url") . $path, false, $context);
        return json_decode($answer, true, flags: JSON_THROW_ON_ERROR);
    }
}
