import { array, nullable, sql, t } from '../../db/sql.ts'

/** The mails that were sent, the newest first; all of them where no address is given. */
export const listMails = sql({
  name: 'demo.list-mails',
  text: `select to_address, subject, text, html, sent_at, links from mail_outbox
    where sent_at is not null and ($1::text is null or lower(to_address collate "C") = lower($1 collate "C"))
    order by id desc limit $2`,
  params: [nullable(t.text), t.bigint],
  row: {
    to_address: t.text,
    subject: t.text,
    text: t.text,
    html: t.text,
    sent_at: t.epochSeconds,
    links: array(t.text),
  },
})
