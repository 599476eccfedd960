module example.com/acme-shops

go 1.19
