import { runtime } from '../runtime.ts'
import type { SocialParts } from './social-try.ts'

/** The browser's own windows and channels. */
export const browserParts: SocialParts = {
  open(address, { width, height }) {
    const left = Math.round(window.screenX + (window.outerWidth - width) / 2)
    const top = Math.round(window.screenY + (window.outerHeight - height) / 2)
    return window.open(address, '_blank', `popup,width=${width},height=${height},left=${left},top=${top}`)
  },
  listen(name, onData) {
    const channel = new BroadcastChannel(name)
    channel.addEventListener('message', (event: MessageEvent<unknown>) => onData(event.data))
    return () => channel.close()
  },
  runtime,
}
