-- Rows of the logs are removed when they are older than the operator keeps them.
grant delete on timeline, audit_log to mooring_worker;
