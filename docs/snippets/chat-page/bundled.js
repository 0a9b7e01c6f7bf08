import 'nestjs-agent/ui/agent-chat.js'; // defines <agent-chat>

const chat = document.createElement('agent-chat');
chat.endpoint = 'http://127.0.0.1:3000/agent'; // of another domain, or '/agent'
chat.headers = { authorization: 'Bearer ada' };
document.body.append(chat);
