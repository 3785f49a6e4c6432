/**
 * SQL that lets a test decide what a row meets when it is written: a row of `fates` with its id and `refused`, or
 * `dies`, which ends the connection once.
 *
 * @param written what the trigger watches: `insert on plays`
 * @param id the column that names the row in `fates`
 */
export function fatesOf(written: string, id: string): string {
  return `create table fates (id text primary key, fate text not null);
  create sequence deaths;
  create function meet_fate() returns trigger language plpgsql as $$
  declare
    met text := coalesce((select fate from fates where id = new.${id}::text), '');
  begin
    if met = 'refused' then
      raise exception 'refused' using errcode = 'FBTST';
    elsif met = 'dies' and nextval('deaths') = 1 then
      perform pg_terminate_backend(pg_backend_pid());
    end if;
    return new;
  end $$;
  create trigger row_meets_fate before ${written} for each row execute function meet_fate();`
}
