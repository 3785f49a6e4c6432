import { useConfig, useContent } from '../../shared/config.ts'
import { LegalPage, loadLegalText } from '../../shared/legal/legal-page.tsx'
import type { LegalAddress } from '../../shared/legal/legal-page.tsx'
import { paths } from '../../shared/paths.ts'
import { pageNotFound } from '../../shared/screen.ts'
import type { ScreenLoader } from '../../shared/screen.ts'
import { Banner } from '@fairball/ui/banner.tsx'
import { DataTable } from '@fairball/ui/data-table.tsx'
import type { Column } from '@fairball/ui/data-table.tsx'
import { Link } from '@fairball/ui/link.tsx'
import { PageTitle } from '@fairball/ui/page-title.tsx'
import { Paragraphs, Points, ReadingPage, ReadingSection, Terms } from '@fairball/ui/reading-page.tsx'
import { PRIVACY_CHAPTERS, PRIVACY_TEXTS as TEXTS } from './messages.ts'
import styles from './privacy-screen.module.css'

type Row = (typeof TEXTS.storedRows)[number]

const COLUMNS: readonly Column<Row>[] = [
  { heading: TEXTS.what, cell: (row) => <strong>{row.what}</strong> },
  { heading: TEXTS.why, cell: (row) => row.why },
  { heading: TEXTS.howLong, cell: (row) => row.howLong },
]

export const load: ScreenLoader<LegalAddress> = async (context, { version }) => {
  if (!(await loadLegalText(context, 'privacy', version))) throw pageNotFound()
}

/** The operator's privacy policy, or the product's own. */
export function PrivacyScreen({ version }: LegalAddress) {
  return (
    <LegalPage name="privacy" version={version} title={TEXTS.title}>
      <OwnPolicy />
    </LegalPage>
  )
}

/** The data kept about players and visitors, its retention periods, and who sees it. */
function OwnPolicy() {
  const { testMode } = useConfig()
  const { operator } = useContent()
  return (
    <>
      <PageTitle lead={TEXTS.lead}>{TEXTS.title}</PageTitle>
      <ReadingPage contentsTitle={TEXTS.contents} chapters={PRIVACY_CHAPTERS}>
        <ReadingSection id="in-short" title={TEXTS.short}>
          <Points texts={TEXTS.shortPoints} />
        </ReadingSection>
        <ReadingSection id="responsible" title={TEXTS.responsible}>
          {operator === null ? (
            <p>{TEXTS.responsibleUnknown}</p>
          ) : (
            <>
              <p>{TEXTS.responsibleText(operator.name)}</p>
              <address className={styles['address']}>
                {operator.address.map((line) => (
                  <span key={line}>{line}</span>
                ))}
              </address>
            </>
          )}
          <p>{TEXTS.responsibleSoftware}</p>
          <p className={styles['more']}>
            <Link href={paths.helpAndContactUs()}>{TEXTS.responsibleContact}</Link>
          </p>
        </ReadingSection>
        <ReadingSection id="kept" title={TEXTS.stored}>
          <p>{TEXTS.storedLead}</p>
          {testMode && <Banner kind="info">{TEXTS.demoMail}</Banner>}
          <div className={styles['table']}>
            <DataTable
              caption={TEXTS.storedCaption}
              columns={COLUMNS}
              rows={TEXTS.storedRows}
              rowKey={(row) => row.what}
            />
          </div>
        </ReadingSection>
        <ReadingSection id="network" title={TEXTS.network}>
          <Paragraphs texts={TEXTS.networkTexts} />
        </ReadingSection>
        <ReadingSection id="public" title={TEXTS.public}>
          <Points texts={TEXTS.publicPoints} />
        </ReadingSection>
        <ReadingSection id="others" title={TEXTS.others}>
          <Terms items={TEXTS.othersItems} />
        </ReadingSection>
        <ReadingSection id="device" title={TEXTS.device}>
          <p>{TEXTS.deviceText}</p>
          <p className={styles['more']}>
            <Link href={paths.cookies()}>{TEXTS.deviceLink}</Link>
          </p>
        </ReadingSection>
        <ReadingSection id="rights" title={TEXTS.rights}>
          <Terms items={TEXTS.rightsItems} />
          <p className={styles['more']}>
            <Link href={paths.personalData()}>{TEXTS.rightsLink}</Link>
          </p>
        </ReadingSection>
      </ReadingPage>
    </>
  )
}
