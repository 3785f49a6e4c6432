import { LoadedContactForm } from '../../shared/contact/contact-form.tsx'
import { countriesQuery } from '../../shared/contact/use-contact.ts'
import { useContent } from '../../shared/config.ts'
import { paths } from '../../shared/paths.ts'
import type { ScreenLoader } from '../../shared/screen.ts'
import { Card } from '@fairball/ui/card.tsx'
import { Link } from '@fairball/ui/link.tsx'
import { PageTitle } from '@fairball/ui/page-title.tsx'
import { Points } from '@fairball/ui/reading-page.tsx'
import { FormFrame } from './form-frame.tsx'
import styles from './feedback-screen.module.css'
import { FEEDBACK_TEXTS as TEXTS } from './messages.ts'

/** Loads the countries of our own form. */
export const load: ScreenLoader = async ({ api, queryClient }) => {
  await queryClient.ensureQueryData(countriesQuery(api))
}

/** Feedback: the third party's form if one is configured, otherwise our own. */
export function FeedbackScreen(_props: object) {
  const { feedbackFormUrl } = useContent()
  return (
    <>
      <PageTitle lead={TEXTS.lead}>{TEXTS.title}</PageTitle>
      {feedbackFormUrl === null ? <OwnForm /> : <FormFrame url={feedbackFormUrl} />}
    </>
  )
}

function OwnForm() {
  return (
    <div className={styles['columns']}>
      <Card title={TEXTS.formTitle}>
        <LoadedContactForm
          before={TEXTS.before}
          messageLabel={TEXTS.message}
          send={TEXTS.send}
          sent={TEXTS.sent}
          startsWithMessage
        />
      </Card>
      <Card title={TEXTS.tips}>
        <Points texts={TEXTS.tipList} />
        <p>
          {TEXTS.help} <Link href={paths.helpAndContactUs()}>{TEXTS.helpLink}</Link>
        </p>
      </Card>
    </div>
  )
}
