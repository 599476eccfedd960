-- Writes to zones are removed when they are older than the operator keeps them.
grant delete on dns_writes to mooring_worker;
