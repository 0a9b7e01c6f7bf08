/** The generator's file, of an application without tools. */
export default async () => Promise.resolve({ 'nestjs-agent/plugin': { classes: [] } });
