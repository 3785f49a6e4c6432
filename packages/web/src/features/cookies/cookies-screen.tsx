import { useContent } from '../../shared/config.ts'
import { paths } from '../../shared/paths.ts'
import { Card } from '../../ui/card.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import type { Column } from '../../ui/data-table.tsx'
import { Link } from '../../ui/link.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { Paragraphs } from '../../ui/reading-page.tsx'
import styles from './cookies-screen.module.css'
import { OfflineCopy } from './components/offline-copy.tsx'
import { KEPT_PLACES } from './kept-items.ts'
import type { KeptItem } from './kept-items.ts'
import { COOKIES_TEXTS as TEXTS } from './messages.ts'

const COLUMNS: readonly Column<KeptItem>[] = [
  { heading: TEXTS.item, cell: (item) => <code className={styles['key']}>{item.key}</code> },
  { heading: TEXTS.purpose, cell: (item) => item.purpose },
  { heading: TEXTS.stays, cell: (item) => item.stays },
]

/** Everything a browser keeps for these pages, item by item. */
export function CookiesScreen(_props: object) {
  const { feedbackFormUrl } = useContent()
  const count = KEPT_PLACES.reduce((sum, { items }) => sum + items.length, 0)
  return (
    <div className={styles['page']}>
      <PageTitle lead={TEXTS.lead}>{TEXTS.title}</PageTitle>
      <Card title={TEXTS.none} className={styles['none']}>
        <dl className={styles['counts']}>
          {[...TEXTS.counts, { count: String(count), text: TEXTS.keptCount }].map((one) => (
            <div key={one.text}>
              <dt>{one.text}</dt>
              <dd>{one.count}</dd>
            </div>
          ))}
        </dl>
        <Paragraphs texts={TEXTS.noneTexts} />
      </Card>
      {KEPT_PLACES.map(({ id, name, lead, items }) => (
        <Card key={id} id={id} title={name} lead={lead} className={styles['place']}>
          <DataTable caption={TEXTS.caption(name)} columns={COLUMNS} rows={items} rowKey={(item) => item.key} />
          {id === 'cache-storage' && <OfflineCopy />}
        </Card>
      ))}
      <div className={styles['pair']}>
        <Card title={TEXTS.elsewhere}>
          <Paragraphs texts={TEXTS.elsewhereTexts} />
          {feedbackFormUrl !== null && <p>{TEXTS.feedback(new URL(feedbackFormUrl).host)}</p>}
        </Card>
        <Card title={TEXTS.deleting}>
          <Paragraphs texts={TEXTS.deletingTexts} />
          <p className={styles['links']}>
            <Link href={paths.fairness()}>{TEXTS.toFairness}</Link>
            <Link href={paths.privacyPolicy()}>{TEXTS.toPrivacy}</Link>
          </p>
        </Card>
      </div>
    </div>
  )
}
