-- A play that moves keeps its stake at any price, while the leaves of a draw all count at the draw's own price. What that comes to
-- is settled at the close, from the plays that moved into the draw.
create index plays_moved on plays (draw_id) where moved_from_draw_id is not null;
