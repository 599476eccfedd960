/** Where decisions take their time from; the database's time in production, a movable one in tests. */
export interface Clock {
  now(): Date;
}
