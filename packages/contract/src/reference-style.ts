/** The style sheet of the reference page: readable from 320 px up, in light and dark. */
export const REFERENCE_STYLE = `:root {
  color-scheme: light dark;
  --ink: light-dark(#1b1a23, #f1eff7);
  --quiet: light-dark(#56536a, #b4b0c6);
  --paper: light-dark(#fbfaf7, #14131b);
  --raised: light-dark(#ffffff, #1e1c28);
  --line: light-dark(#dcd9e4, #383548);
  --accent: light-dark(#5b2bbf, #b79bff);
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body {
  margin: 0 auto;
  max-width: 72rem;
  padding: 1rem;
  background: var(--paper);
  color: var(--ink);
  font: 1rem/1.55 system-ui, sans-serif;
  overflow-wrap: anywhere;
}
h1 { font-size: 1.75rem; line-height: 1.2; margin: 0.5rem 0; }
h2 { font-size: 1.35rem; margin: 2rem 0 0.75rem; }
h3 { font-size: 1rem; margin: 0 0 0.5rem; }
h4 { font-size: 0.875rem; margin: 0.75rem 0 0.25rem; color: var(--quiet); }
a { color: var(--accent); }
a:focus-visible, summary:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
small { color: var(--quiet); font-size: 0.875rem; }
code, pre { font: 0.875rem/1.5 ui-monospace, monospace; }
pre {
  margin: 0;
  padding: 0.75rem;
  white-space: pre-wrap;
  background: var(--paper);
  border: 1px solid var(--line);
  border-radius: 0.5rem;
}
ul { margin: 0.25rem 0; padding-left: 1.25rem; }
summary { cursor: pointer; padding: 0.5rem 0; font-weight: 600; }
article {
  margin: 0 0 1rem;
  padding: 1rem;
  background: var(--raised);
  border: 1px solid var(--line);
  border-radius: 0.75rem;
}
nav ul { list-style: none; padding: 0; }
nav li a { display: block; padding: 0.375rem 0; text-decoration: none; font-size: 0.875rem; }
nav h2 { font-size: 1rem; margin: 0.5rem 0; }
.method { display: inline-block; min-width: 4.25rem; color: var(--accent); }
@media (min-width: 1024px) {
  body { display: grid; grid-template-columns: 20rem minmax(0, 1fr); column-gap: 2rem; }
  header { grid-column: 1 / -1; }
  nav { position: sticky; top: 1rem; align-self: start; max-height: calc(100vh - 2rem); overflow-y: auto; }
  main h2:first-child { margin-top: 0; }
}
`
