import { useConfig, useContent } from '../../shared/config.ts'
import { versionsQuery } from '../../shared/data/game-versions.ts'
import { gamesQuery } from '../../shared/data/games.ts'
import { paths } from '../../shared/paths.ts'
import { pageNotFound } from '../../shared/screen.ts'
import type { ScreenLoader } from '../../shared/screen.ts'
import { LegalPage, loadLegalText } from '../../shared/legal/legal-page.tsx'
import type { LegalAddress } from '../../shared/legal/legal-page.tsx'
import { Banner } from '@fairball/ui/banner.tsx'
import { Link } from '@fairball/ui/link.tsx'
import { PageTitle } from '@fairball/ui/page-title.tsx'
import { Paragraphs, Points, ReadingPage, ReadingSection, Terms } from '@fairball/ui/reading-page.tsx'
import { GameSections } from './components/game-sections.tsx'
import { OperatorFacts } from './components/operator-facts.tsx'
import { TERMS_CHAPTERS, TERMS_TEXTS as TEXTS } from './messages.ts'
import styles from './terms-screen.module.css'

/** Loads the text, and the games with the announced versions of their rules. */
export const load: ScreenLoader<LegalAddress> = async (context, { version }) => {
  const { api, queryClient } = context
  if (!(await loadLegalText(context, 'terms', version))) throw pageNotFound()
  const games = await queryClient.ensureQueryData(gamesQuery(api))
  await Promise.all(games.map(({ key }) => queryClient.ensureQueryData(versionsQuery(api, key))))
}

/** The operator's terms with the rules of the games, or the product's own. */
export function TermsScreen({ version }: LegalAddress) {
  const games = (
    <ReadingSection id="games" title={TEXTS.games}>
      <p>{TEXTS.gamesLead}</p>
      <GameSections />
    </ReadingSection>
  )
  return (
    <LegalPage name="terms" version={version} title={TEXTS.title} facts={games}>
      <OwnTerms />
    </LegalPage>
  )
}

/** The rules of the games and of the money; those of the games are the announced ones. */
function OwnTerms() {
  const { testMode } = useConfig()
  const { operator } = useContent()
  return (
    <>
      <PageTitle lead={TEXTS.lead}>{TEXTS.title}</PageTitle>
      <ReadingPage contentsTitle={TEXTS.contents} chapters={TERMS_CHAPTERS}>
        <ReadingSection id="in-short" title={TEXTS.short}>
          {testMode && <Banner kind="warning">{TEXTS.testMode}</Banner>}
          <Points texts={TEXTS.shortPoints} />
        </ReadingSection>
        <ReadingSection id="operator" title={TEXTS.operator}>
          {operator === null ? <p>{TEXTS.operatorUnknown}</p> : <OperatorFacts operator={operator} />}
        </ReadingSection>
        <ReadingSection id="who-may-play" title={TEXTS.who}>
          <Paragraphs texts={TEXTS.whoTexts} />
        </ReadingSection>
        <ReadingSection id="account" title={TEXTS.account}>
          <Paragraphs texts={TEXTS.accountTexts} />
        </ReadingSection>
        <ReadingSection id="games" title={TEXTS.games}>
          <p>{TEXTS.gamesLead}</p>
          <GameSections />
        </ReadingSection>
        <ReadingSection id="orders" title={TEXTS.orders}>
          <Points texts={TEXTS.orderPoints} />
        </ReadingSection>
        <ReadingSection id="payment" title={TEXTS.paying}>
          <p className={styles['formula']}>{TEXTS.payingLead}</p>
          <Terms items={TEXTS.payingItems} />
        </ReadingSection>
        <ReadingSection id="free-tickets" title={TEXTS.free}>
          <Points texts={TEXTS.freePoints} />
        </ReadingSection>
        <ReadingSection id="draw" title={TEXTS.draw}>
          <Paragraphs texts={TEXTS.drawTexts} />
          <More href={paths.fairness()}>{TEXTS.drawLink}</More>
        </ReadingSection>
        <ReadingSection id="prizes" title={TEXTS.prizes}>
          <Points texts={TEXTS.prizePoints} />
          <More href={paths.whereTheMoneyGoes()}>{TEXTS.prizesLink}</More>
        </ReadingSection>
        <ReadingSection id="payouts" title={TEXTS.payouts}>
          <Points texts={TEXTS.payoutPoints} />
          <More href={paths.howToClaim()}>{TEXTS.payoutsLink}</More>
        </ReadingSection>
        <ReadingSection id="refunds" title={TEXTS.refunds}>
          <Paragraphs texts={TEXTS.refundTexts} />
        </ReadingSection>
        <ReadingSection id="troubled-draws" title={TEXTS.troubled}>
          <Points texts={TEXTS.troubledPoints} />
        </ReadingSection>
        <ReadingSection id="limits" title={TEXTS.limits}>
          <Points texts={TEXTS.limitPoints} />
          <More href={paths.responsiblePlay()}>{TEXTS.limitsLink}</More>
        </ReadingSection>
        <ReadingSection id="closing" title={TEXTS.closing}>
          <Paragraphs texts={TEXTS.closingTexts} />
          <More href={paths.personalData()}>{TEXTS.closingLink}</More>
        </ReadingSection>
        <ReadingSection id="complaints" title={TEXTS.trouble}>
          <Paragraphs texts={TEXTS.troubleTexts} />
          <More href={paths.helpAndContactUs()}>{TEXTS.troubleLink}</More>
        </ReadingSection>
      </ReadingPage>
    </>
  )
}

function More({ href, children }: { href: string; children: string }) {
  return (
    <p className={styles['more']}>
      <Link href={href}>{children}</Link>
    </p>
  )
}
