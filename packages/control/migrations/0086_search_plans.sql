-- The plan for any text, which a session takes after some searches, costs a second among a million names where most of
-- them have the text.
alter function list_connections(jsonb, timestamptz, uuid, int) set plan_cache_mode = force_custom_plan;
