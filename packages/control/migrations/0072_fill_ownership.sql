-- no transaction
-- 0071 has what it is for.

call fill_ownership();
