module github.com/facet-rpc/facet/benchmarks

go 1.26.0

replace github.com/facet-rpc/facet => ..
