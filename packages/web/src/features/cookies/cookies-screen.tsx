import { useContent } from '../../shared/config.ts'
import { LegalPage, loadLegalText } from '../../shared/legal/legal-page.tsx'
import type { LegalAddress } from '../../shared/legal/legal-page.tsx'
import { paths } from '../../shared/paths.ts'
import { pageNotFound } from '../../shared/screen.ts'
import type { ScreenLoader } from '../../shared/screen.ts'
import { Card } from '@fairball/ui/card.tsx'
import { DataTable } from '@fairball/ui/data-table.tsx'
import type { Column } from '@fairball/ui/data-table.tsx'
import { Link } from '@fairball/ui/link.tsx'
import { PageTitle, SectionTitle } from '@fairball/ui/page-title.tsx'
import { Paragraphs } from '@fairball/ui/reading-page.tsx'
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

export const load: ScreenLoader<LegalAddress> = async (context, { version }) => {
  if (!(await loadLegalText(context, 'cookies', version))) throw pageNotFound()
}

/** The operator's page on cookies with the list of what a browser keeps, or the product's own. */
export function CookiesScreen({ version }: LegalAddress) {
  const kept = (
    <section aria-labelledby="kept" className={styles['page']}>
      <SectionTitle id="kept">{TEXTS.kept}</SectionTitle>
      <KeptPlaces />
    </section>
  )
  return (
    <LegalPage name="cookies" version={version} title={TEXTS.title} facts={kept}>
      <OwnPage />
    </LegalPage>
  )
}

/** Everything a browser keeps for these pages, item by item. */
function OwnPage() {
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
      <KeptPlaces />
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

function KeptPlaces() {
  return KEPT_PLACES.map(({ id, name, lead, items }) => (
    <Card key={id} id={id} title={name} lead={lead} className={styles['place']}>
      <DataTable caption={TEXTS.caption(name)} columns={COLUMNS} rows={items} rowKey={(item) => item.key} />
      {id === 'cache-storage' && <OfflineCopy />}
    </Card>
  ))
}
