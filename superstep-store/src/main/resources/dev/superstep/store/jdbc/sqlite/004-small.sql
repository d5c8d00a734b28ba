-- In the `channels` of a checkpoint, a length of -3 says that the value is small and stands in the place itself, as a
-- string that holds its JSON.

-- One writes at a time here, so that a family needs no row to be locked: it is known by a number, the token of the
-- first lease of the thread that began it.
update token set last = max(last, coalesce((select max(id) from family), 0));

drop table family;
