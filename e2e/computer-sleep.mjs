// Loaded into the product before itself (`--import`): the computer it runs on can sleep. What ran before finds the clock ahead afterwards, and what was
// due meanwhile is late, as after a real sleep or an outage; a jump of the demo's clock passes through every moment in order and makes nothing late.
const now = Date.now.bind(Date)
let sleptMs = 0
Date.now = () => now() + sleptMs

process.on('message', (message) => {
  sleptMs += message.sleepMs
})
