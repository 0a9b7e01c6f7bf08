curl -s http://127.0.0.1:3000/agent/v1/chat/completions \
  -H 'authorization: Bearer ada' -H 'content-type: application/json' \
  -d '{ "model": "shop-agent", "messages": [{ "role": "user", "content": "And order 17?" }] }'
