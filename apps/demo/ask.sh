curl -s http://127.0.0.1:3000/agent/chat -H 'content-type: application/json' \
  -H "authorization: Bearer $(curl -s http://127.0.0.1:3000/auth/login -H 'content-type: application/json' \
    -d '{"username":"alice","password":"alice-secret"}' | cut -d '"' -f 4)" \
  -d '{"message":"what applications do I have"}'
