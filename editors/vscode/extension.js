// Starts `superstep rag lsp` and connects VS Code with it.
const { workspace } = require('vscode');
const { LanguageClient } = require('vscode-languageclient/node');

let client;

function activate() {
  const command = workspace.getConfiguration('superstep').get('command');
  client = new LanguageClient(
    'superstep-rag',
    'Superstep .rag',
    { command, args: ['rag', 'lsp'] },
    { documentSelector: [{ language: 'rag' }] });
  return client.start();
}

function deactivate() {
  return client ? client.stop() : undefined;
}

module.exports = { activate, deactivate };
