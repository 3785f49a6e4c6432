-- The plays of a part of a draw (0135). Alone, because plays are not written while it is made.

create index plays_by_leaf on plays (draw_id, leaf_index) where leaf_index is not null;
