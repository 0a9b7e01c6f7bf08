curl -s http://127.0.0.1:3000/mcp \
  -H 'authorization: Bearer ada' -H 'content-type: application/json' \
  -d '{ "jsonrpc": "2.0", "id": 1, "method": "tools/list" }'
