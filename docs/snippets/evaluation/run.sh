npx nest build && npx nestjs-agent eval --junit reports/evals.xml
