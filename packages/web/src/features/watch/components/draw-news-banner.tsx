import { paths } from '../../../shared/paths.ts'
import { Banner } from '@fairball/ui/banner.tsx'
import { Link } from '@fairball/ui/link.tsx'
import { WATCH_TEXTS } from '../messages.ts'
import type { DrawNews } from '../use-draw-news.ts'

/** Says what happened to the previous draw: it was void, or it was over before the page was visible again. */
export default function DrawNewsBanner({ gameKey, news }: { gameKey: string; news: DrawNews }) {
  return (
    <Banner
      kind={news.kind === 'VOID' ? 'warning' : 'info'}
      live
      action={<Link href={paths.draw(gameKey, news.number)}>{WATCH_TEXTS.seeDraw(news.number)}</Link>}
    >
      {news.kind === 'VOID' ? WATCH_TEXTS.drawVoid(news.number) : WATCH_TEXTS.drawMissed(news.number, news.numbers)}
    </Banner>
  )
}
