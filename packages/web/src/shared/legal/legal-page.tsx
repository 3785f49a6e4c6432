import { useQuery } from '@tanstack/react-query'
import type { LegalName } from '@fairball/contract/legal-names'
import type { Block, LegalText, LegalVersion } from '@fairball/contract/schemas/legal'
import { dateLabel } from '@fairball/domain/draw-time-label'
import type { ReactNode } from 'react'
import { Banner } from '@fairball/ui/banner.tsx'
import { DataTable } from '@fairball/ui/data-table.tsx'
import type { Column } from '@fairball/ui/data-table.tsx'
import { LoadFailed } from '@fairball/ui/empty-state.tsx'
import { Link } from '@fairball/ui/link.tsx'
import { MarkdownText, WordsOf } from '@fairball/ui/markdown-text.tsx'
import { PageTitle, SectionTitle } from '@fairball/ui/page-title.tsx'
import { Loading, SkeletonRows } from '@fairball/ui/skeleton.tsx'
import { useApi } from '../api.ts'
import { legalTextQuery } from '../data/legal-text.ts'
import { usePlayerView } from '../player-view.ts'
import type { LoadContext } from '../screen.ts'
import styles from './legal-page.module.css'
import { LEGAL_TEXTS as TEXTS, legalPath } from './messages.ts'

/** What the address of a legal text says. */
export interface LegalAddress {
  /** the version as it was typed; undefined for the text in force */
  version: string | undefined
}

/** Loads a legal text, in a screen's `load`. @returns whether there is such a version */
export async function loadLegalText(
  { api, queryClient }: LoadContext,
  name: LegalName,
  version: string | undefined,
): Promise<boolean> {
  try {
    await queryClient.ensureQueryData(legalTextQuery(api, name, version))
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'NOT_FOUND') return false
    throw error
  }
}

/** Props of {@link LegalPage}. */
interface LegalPageProps extends LegalAddress {
  name: LegalName
  /** the page's name, for a text without a title of its own */
  title: string
  /** the product's own page, for versions without a text of the operator */
  children: ReactNode
  /** a section that also follows the operator's text, as it says what the software does */
  facts?: ReactNode
}

/** The operator's own text or the product's page, how it is to the present, and its versions. */
export function LegalPage({ name, version, title, children, facts }: LegalPageProps) {
  const { data, isPending, refetch } = useQuery(legalTextQuery(useApi(), name, version))
  if (data === undefined)
    return (
      <>
        <PageTitle>{title}</PageTitle>
        {isPending ? (
          <Loading>
            <SkeletonRows rows={8} />
          </Loading>
        ) : (
          <LoadFailed onRetry={() => void refetch()} />
        )}
      </>
    )
  return (
    <div className={styles['page']}>
      <Standing name={name} text={data} />
      {data.blocks === null ? (
        <div>{children}</div>
      ) : (
        <OperatorsText text={data} blocks={data.blocks} title={title} facts={facts} />
      )}
      {data.versions.length > 1 && <Versions name={name} text={data} />}
    </div>
  )
}

/** What a reader of a text that is not in force has to know first. */
function Standing({ name, text }: { name: LegalName; text: LegalText }) {
  const { dateTime } = usePlayerView()
  if (text.status === 'in_force') return null
  const sentence = {
    coming: TEXTS.coming(dateTime(text.from_at ?? 0)),
    earlier: TEXTS.earlier(dateTime(text.until_at ?? 0)),
    withdrawn: TEXTS.withdrawn,
  }[text.status]
  return (
    <Banner kind="warning" action={<Link href={legalPath(name)}>{TEXTS.toPresent}</Link>}>
      {sentence} {text.blocks === null && TEXTS.figures}
    </Banner>
  )
}

function OperatorsText({
  text,
  blocks,
  title,
  facts,
}: {
  text: LegalText
  blocks: Block[]
  title: string
  facts: ReactNode
}) {
  const [first] = blocks
  const own = first?.kind === 'heading' && first.level === 1 ? first : null
  const isPresent = text.status === 'in_force' || text.status === 'coming'
  return (
    <div>
      <PageTitle lead={text.date !== null && TEXTS.lead(dayOf(text.date))}>
        {own === null ? title : <WordsOf words={own.words} />}
      </PageTitle>
      <MarkdownText blocks={own === null ? blocks : blocks.slice(1)} contents={TEXTS.contents}>
        {isPresent && facts}
      </MarkdownText>
    </div>
  )
}

function Versions({ name, text }: { name: LegalName; text: LegalText }) {
  const { date } = usePlayerView()
  return (
    <section aria-labelledby="versions" className={styles['versions']}>
      <SectionTitle id="versions">{TEXTS.versions}</SectionTitle>
      <DataTable
        caption={TEXTS.versionsCaption}
        rows={text.versions}
        rowKey={(row) => row.version}
        columns={columnsOf(name, text, date)}
      />
    </section>
  )
}

function columnsOf(name: LegalName, { version }: LegalText, date: (at: number) => string): Column<LegalVersion>[] {
  return [
    { heading: TEXTS.text, cell: (row) => <VersionName name={name} row={row} isShown={row.version === version} /> },
    { heading: TEXTS.inForce, cell: (row) => timesOf(row, date) },
  ]
}

function VersionName({ name, row, isShown }: { name: LegalName; row: LegalVersion; isShown: boolean }) {
  const words = TEXTS.version(row.version, row.date === null ? null : dayOf(row.date))
  if (isShown) return words + TEXTS.shownHere
  return <Link href={legalPath(name, row.status === 'in_force' ? undefined : row.version)}>{words}</Link>
}

function timesOf({ status, from_at: from, until_at: until }: LegalVersion, date: (at: number) => string): string {
  if (from === null) return until === null ? TEXTS.always : TEXTS.until(date(until))
  if (until === null) return status === 'coming' ? TEXTS.from(date(from)) : TEXTS.since(date(from))
  return TEXTS.between(date(from), date(until))
}

/** @param date as the text has it, like `2026-12-01` */
function dayOf(date: string): string {
  return dateLabel(Date.parse(`${date}T00:00:00Z`) / 1000, 0)
}
