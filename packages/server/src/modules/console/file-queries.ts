import { array, sql, t } from '../../db/sql.ts'

export const insertFile = sql({
  name: 'console.insert-file',
  text: `insert into console_files (id, request_id, created_at, name, type, content, is_once, readers)
    values ($id, $requestId, $now, $name, $type, $content, $isOnce, $readers)`,
  params: {
    id: t.uuid,
    requestId: t.uuid,
    now: t.epochSeconds,
    name: t.text,
    type: t.text,
    content: t.text,
    isOnce: t.bool,
    readers: array(t.bigint),
  },
})

const fileRow = { name: t.text, type: t.text, content: t.text } as const

/** Who may have a file that is not older than a time, and whether it is answered once. */
export const findFile = sql({
  name: 'console.find-file',
  text: `select readers, is_once, name, type, content from console_files where id = $1 and created_at > $2`,
  params: [t.uuid, t.epochSeconds],
  row: { readers: array(t.bigint), isOnce: t.bool, ...fileRow },
})

/** The same without what is in it. */
export const findReaders = sql({
  name: 'console.find-readers',
  text: `select name, readers from console_files where id = $1 and created_at > $2`,
  params: [t.uuid, t.epochSeconds],
  row: { name: t.text, readers: array(t.bigint) },
})

/** Takes a file away with its answer: of two callers one gets it. */
export const takeFile = sql({
  name: 'console.take-file',
  text: `delete from console_files where id = $1 returning name, type, content`,
  params: [t.uuid],
  row: fileRow,
})

/** Removes what is older than a time. */
export const removeOldFiles = sql({
  name: 'console.remove-old-files',
  text: `delete from console_files where created_at <= $1`,
  params: [t.epochSeconds],
})
