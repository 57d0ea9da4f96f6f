module libpto.org/go

go 1.19
