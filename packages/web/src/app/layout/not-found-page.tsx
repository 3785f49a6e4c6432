import { Ball } from '@fairball/ui/ball.tsx'
import { LinkButton } from '@fairball/ui/button.tsx'
import { useFirstView } from '../../shared/first-view.ts'
import { paths } from '../../shared/paths.ts'
import styles from './not-found-page.module.css'

/** Shown for every address without a page. The words are the specification's. */
export function NotFoundPage() {
  useFirstView()
  return (
    <div className={styles['page']}>
      <span className={styles['balls']} aria-hidden="true">
        <Ball number={4} size={92} />
        <Ball number={0} size={92} />
        <Ball number={4} size={92} />
      </span>
      <h1>You didn't break the Internet, but we can't find what you are looking for.</h1>
      <LinkButton href={paths.home()}>Go to the home page</LinkButton>
    </div>
  )
}
