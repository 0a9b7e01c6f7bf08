curl -sN http://127.0.0.1:3000/agent/chat/stream \
  -H 'authorization: Bearer ada' -H 'content-type: application/json' \
  -d '{ "message": "What is the state of order 17?" }'
