import { useEffect, useRef } from 'react'
import { paths } from '../../shared/paths.ts'
import { Card } from '@fairball/ui/card.tsx'
import { Link } from '@fairball/ui/link.tsx'
import { PageTitle } from '@fairball/ui/page-title.tsx'
import { SOCIAL_TEXTS } from '../../shared/social-login/messages.ts'
import { readSocialAnswer, SOCIAL_CHANNEL } from '../../shared/social-login/social-answer.ts'
import styles from './social-answer-screen.module.css'

/**
 * The page to which a social network returns in its window: it hands the answer to its opener and closes. First it
 * removes the token from the address, so that it stays in no history.
 */
export function SocialAnswerScreen({ provider }: { provider: string }) {
  const isSent = useRef(false)
  useEffect(() => {
    if (isSent.current) return
    isSent.current = true
    const answer = readSocialAnswer(provider, window.location)
    if (answer === null) return
    window.history.replaceState(null, '', window.location.pathname)
    const channel = new BroadcastChannel(SOCIAL_CHANNEL)
    channel.postMessage(answer)
    channel.close()
    window.close()
  }, [provider])

  return (
    <>
      {/* React puts it into the document's head. */}
      <meta name="robots" content="noindex" />
      <div className={styles['page']}>
        <PageTitle>{SOCIAL_TEXTS.answerTitle}</PageTitle>
        <Card>
          <p>{SOCIAL_TEXTS.answerDone}</p>
          <p>
            <Link href={paths.home()}>{SOCIAL_TEXTS.toHome}</Link>
          </p>
        </Card>
      </div>
    </>
  )
}
