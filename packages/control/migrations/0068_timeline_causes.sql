-- What the CA said when it last refused a certificate: { type, detail } of its problem document. Null where the last
-- failure was none of the CA's; an edge of the release before leaves it as it is.
alter table certificates add column ca_error jsonb;

-- Who caused an entry, as the audit log names them; null in entries of the release before.
alter table timeline add column actor text, add column actor_name text;
