<?php

namespace App;

use RuntimeException;

/** A webhook or an assertion that the service did not sign for this application. */
class Refused extends RuntimeException
{
}
