curl -s http://127.0.0.1:3000/agent/chat \
  -H 'authorization: Bearer ada' -H 'content-type: application/json' \
  -d '{ "message": "list my orders" }'
