import type { Pattern } from '@fairball/domain/games'
import { worldOf } from '@fairball/domain/world'

/** The ring of a ball (the design language, section 5), from the game's colours. */
const RINGS: Readonly<Record<Pattern, string>> = {
  solid: 'var(--g)',
  band: 'linear-gradient(165deg,var(--disc) 27%,var(--g) 27.5% 72.5%,var(--disc) 73%)',
  reeded: 'repeating-conic-gradient(var(--g) 0 9deg,var(--shade) 9deg 15deg)',
  facets: 'conic-gradient(from 40deg,var(--g) 0 25%,var(--shade) 25% 50%,var(--g) 50% 75%,var(--light) 75%)',
  ring: 'radial-gradient(closest-side,var(--g) 78%,var(--shade) 79% 89%,var(--g) 90%)',
  sunburst: 'repeating-conic-gradient(from 8deg,var(--g) 0 22.5deg,var(--shade) 22.5deg 45deg)',
}

/**
 * The style of the widget: a ticket with the game's field on top and its stub below. It has no font of its own, which
 * would be larger than all the rest.
 *
 * @param game.accent `#RRGGBB`
 */
export function widgetStyle({ accent, pattern }: { accent: string; pattern: Pattern }): string {
  const { accent: field, shade, light } = worldOf(accent)
  return `:root{color-scheme:light dark;--g:${field};--shade:${shade};--light:${light};--disc:#fffdf8;--fixed:#1c1433;
--ink:light-dark(#1c1433,#f4f0fa);--ink-2:light-dark(#574f6e,#b9b1cc);--surface:light-dark(#fff,#1c162d);
--line:light-dark(#8c8498,#8279a0);--on-action:light-dark(#fff,#1c1433)}
*{box-sizing:border-box}
html,body{height:100%;margin:0}
body{display:flex;flex-direction:column;background:var(--surface);color:var(--ink);
font:400 .875rem/1.3 system-ui,-apple-system,"Segoe UI",Roboto,Arial,sans-serif}
header{flex:1 0 auto;display:flex;flex-direction:column;justify-content:center;padding:8px 14px;background:var(--g);color:var(--fixed)}
h1{display:flex;justify-content:space-between;gap:8px;margin:0 0 2px;font-size:1rem;line-height:1.2}
h1 span{font-weight:600;font-size:.75rem;line-height:1.6}
p{margin:0}
.jackpot{font-weight:800;font-size:2.25rem;line-height:1.05;letter-spacing:-.02em;font-variant-numeric:tabular-nums;white-space:nowrap}
.small{font-size:.8125rem;font-variant-numeric:tabular-nums}
.when{font-weight:700;font-variant-numeric:tabular-nums}
main{flex:none;padding:6px 14px 10px}
header+main{border-top:2px dashed var(--line)}
.last{color:var(--ink-2);font-size:.8125rem}
ol{display:flex;flex-wrap:wrap;gap:4px;margin:4px 0 8px;padding:0;list-style:none}
li{display:grid;place-items:center;width:28px;height:28px;border-radius:50%;background:${RINGS[pattern]};
box-shadow:inset 0 0 0 1px rgb(28 20 51/14%)}
li span{display:grid;place-items:center;width:20px;height:20px;border-radius:50%;background:var(--disc);color:var(--fixed);
font:800 .6875rem/1 system-ui,Arial,sans-serif;font-variant-numeric:tabular-nums}
.none{margin:4px 0 10px}
a{display:block;min-height:44px;padding:12px;border-radius:999px;background:var(--ink);color:var(--on-action);
font-weight:700;line-height:20px;text-align:center;text-decoration:none;overflow-wrap:anywhere}
a:hover{opacity:.94}
a:focus-visible{outline:3px solid var(--ink);outline-offset:3px}
`
}
