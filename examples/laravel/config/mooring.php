<?php

return [
    "url" => env("MOORING_URL"),
    "api_key" => env("MOORING_API_KEY"),
    "application_id" => env("MOORING_APP"),
    "webhook_secret" => env("MOORING_WEBHOOK_SECRET"),
    "demo_customer" => env("DEMO_CUSTOMER"),
];
