// A developer's own keys must never make the tests talk to a real model.
for (const name of Object.keys(process.env)) {
  if (/^(OPENAI|ANTHROPIC)_/.test(name)) delete process.env[name];
}
