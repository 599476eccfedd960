/**
 * Rows of a queue share its slots: 0 fresh, somebody waits for it to go live; 1 live; 2 retry, has
 * not got on for an hour or more. The database has which state is in which (`check_lane`), since it
 * queues what every release writes.
 */
export type CheckLane = 0 | 1 | 2;
