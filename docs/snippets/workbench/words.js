const workbench = document.querySelector('agent-workbench');
if (workbench) {
  workbench.texts = { tabs: { tools: 'Outils' }, runs: { requestOf: 'Demande de l’étape {step}' } };
}
