import { sql, t } from '../../../db/sql.ts'

/** Keeps the hash of a test mail's code until when it can be typed back, once a minute; what was confirmed stays. */
export const keepTestMail = sql({
  name: 'console.keep-test-mail',
  text: `insert into system_state (key, value)
    values ('mail.test', json_build_object('hash', encode($1, 'hex'), 'until', $2::bigint, 'way', $3::text)::text)
    on conflict (key) do update set value = (system_state.value::jsonb || excluded.value::jsonb)::text
      where (system_state.value::jsonb ->> 'until')::bigint <= $2 - 60`,
  params: [t.bytea, t.epochSeconds, t.text],
})

/** Notes that the code came back by the way it was sent. */
export const confirmTestMail = sql({
  name: 'console.confirm-test-mail',
  text: `update system_state set value = (value::jsonb - 'hash'
      || jsonb_build_object('confirmed_at', $2::bigint, 'confirmed_way', value::jsonb ->> 'way'))::text
    where key = 'mail.test' and value::jsonb ->> 'hash' = encode($1, 'hex') and (value::jsonb ->> 'until')::bigint > $2`,
  params: [t.bytea, t.epochSeconds],
})
