-- no transaction
-- Which connections share a validation name: 0038 has what it is for.

create index concurrently if not exists connections_validation
  on connections (validation_label) where validation_label is not null;
alter table connections validate constraint connections_validation_status_check;
