curl -sN http://127.0.0.1:3000/agent/ag-ui \
  -H 'authorization: Bearer ada' -H 'content-type: application/json' \
  -d '{ "threadId": "main", "runId": "run-1", "protocolVersion": "1.0",
        "messages": [{ "id": "m-1", "role": "user", "content": "And order 17?" }] }'
