/** Every decision takes its time from here, never from `now()` in a statement or `Date` in code. */
export interface Clock {
  now(): Date;
}
